import mido

m = mido.MidiFile("waltz.mid")
bar = m.ticks_per_beat * 3
at = 8 * bar
for track in m.tracks:
    tick = 0
    events = []
    for x in track:
        tick += x.time
        events.append((tick, x))
    moved, out, last = 0, [], 0
    # what ends exactly at the barline belongs to the bar before
    for tick, x in events:
        ends = x.type == "note_off" or (x.type == "note_on" and x.velocity == 0)
        if tick > at or (tick == at and not ends):
            tick += bar
            moved += 1
        out.append(x.copy(time=tick - last))
        last = tick
    track[:] = out
    print(track.name, "moved", moved)
m.save("out.mid")
again = mido.MidiFile("out.mid")
print(m.length, again.length, [sum(x.time for x in t) for t in again.tracks])
