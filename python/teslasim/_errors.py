# SPDX-License-Identifier: Apache-2.0
"""Exceptions of the module."""


class Error(Exception):
    """Something in the input is wrong, or a kernel did what it must not.

    The text is what the command line would have said, with place, excerpt and help. `code` is the word of its first
    message (`teslasim explain CODE` has a page for it), `messages` has each message in parts, `exit_code` is what the
    command line would have ended with.
    """

    def __init__(self, text, code="", messages=(), exit_code=2):
        super().__init__(text)
        self.code = code
        self.messages = list(messages)
        self.exit_code = exit_code

    def __reduce__(self):
        return (Error, (str(self), self.code, (), self.exit_code))


class Warning(UserWarning):  # noqa: A001 - teslasim.Warning beside teslasim.Error
    """What a machine, a file or a kernel has that is not what was meant, in all likelihood."""
