"""dbusmock's logind, with locks that say so on standard output when they are taken and let go, and then what the library has."""

import os
import sqlite3

from dbusmock.templates.logind import *  # noqa: F401,F403
from dbusmock.templates.logind import MAIN_IFACE, GLib, dbus


def position():
    library = sqlite3.connect('file:%s/podcli/library.db?mode=ro' % os.environ['HOME'], uri=True)
    row = library.execute('SELECT last_listen_time FROM statuses WHERE is_currently_playing').fetchone()
    library.close()
    return row and row[0]


@dbus.service.method(MAIN_IFACE, in_signature='ssss', out_signature='h')
def Inhibit(_, what, who, why, mode):
    ours, theirs = os.pipe()

    def dropped(fd, _condition):
        os.close(fd)
        print('released %s %s at %s' % (what, mode, position()), flush=True)
        return False

    GLib.unix_fd_add_full(GLib.PRIORITY_HIGH, ours, GLib.IO_HUP, dropped)
    GLib.idle_add(os.close, theirs)
    print('taken %s %s by %s' % (what, mode, who), flush=True)
    return theirs
