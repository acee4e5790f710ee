"""A desktop that keeps the machine awake on request: the portal's service. It says on standard output what it is asked for."""

import dbus

BUS_NAME = 'org.freedesktop.portal.Desktop'
MAIN_OBJ = '/org/freedesktop/portal/desktop'
MAIN_IFACE = 'org.freedesktop.portal.Inhibit'
SYSTEM_BUS = False
REQUEST = '/org/freedesktop/portal/desktop/request/7'


def load(mock, _parameters):
    mock.AddObject(REQUEST, 'org.freedesktop.portal.Request', {}, [('Close', '', '', 'print("closed", flush=True)')])


@dbus.service.method(MAIN_IFACE, in_signature='sua{sv}', out_signature='o')
def Inhibit(_, window, flags, options):
    print('inhibited %d %r' % (flags, str(options['reason'])), flush=True)
    return dbus.ObjectPath(REQUEST)
