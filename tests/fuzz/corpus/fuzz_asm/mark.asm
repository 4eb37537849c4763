.entry k
{
 mov.b32 $r1, ü
 return
}
