import mido

m = mido.MidiFile("waltz.mid")
bar = m.ticks_per_beat * 3
louder = softer = 0
for track in m.tracks:
    tick = 0
    for x in track:
        tick += x.time
        if x.type != "note_on" or x.velocity == 0:
            continue
        if track.name == "Piano" and tick % bar < m.ticks_per_beat and tick % m.ticks_per_beat == 0:
            x.velocity = min(127, x.velocity + 15)
            louder += 1
        elif x.channel == 9 and x.note == 42:
            x.velocity = round(x.velocity * 0.8)
            softer += 1
m.save("out.mid")
again = mido.MidiFile("out.mid")
print(louder, "louder", softer, "softer", [len(t) for t in again.tracks])
