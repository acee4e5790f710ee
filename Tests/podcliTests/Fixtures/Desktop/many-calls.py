"""Asks a media player for all its properties, as often as the argument says, and prints how many answers had a position."""

import sys

import dbus

player = dbus.SessionBus().get_object('org.mpris.MediaPlayer2.podcli', '/org/mpris/MediaPlayer2')
properties = dbus.Interface(player, 'org.freedesktop.DBus.Properties')
answers = [properties.GetAll('org.mpris.MediaPlayer2.Player') for _ in range(int(sys.argv[1]))]
print(sum('Position' in answer for answer in answers))
