import mido
m = mido.MidiFile("waltz.mid")
print(m.type, m.ticks_per_beat)
for i, t in enumerate(m.tracks):
    print(i, t.name, len(t))
    for x in list(t)[:40]:
        print("  ", x)
