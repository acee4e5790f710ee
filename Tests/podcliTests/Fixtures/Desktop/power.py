"""A desktop's older service that keeps the machine awake. It says on standard output what it is asked for."""

import dbus

BUS_NAME = 'org.freedesktop.PowerManagement'
MAIN_OBJ = '/org/freedesktop/PowerManagement/Inhibit'
MAIN_IFACE = 'org.freedesktop.PowerManagement.Inhibit'
SYSTEM_BUS = False


def load(_mock, _parameters):
    pass


@dbus.service.method(MAIN_IFACE, in_signature='ss', out_signature='u')
def Inhibit(_, application, reason):
    print('inhibited by %s' % application, flush=True)
    return dbus.UInt32(7)


@dbus.service.method(MAIN_IFACE, in_signature='u', out_signature='')
def UnInhibit(_, cookie):
    print('uninhibited %d' % cookie, flush=True)
