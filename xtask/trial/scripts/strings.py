import mido

m = mido.MidiFile("waltz.mid")
bar = m.ticks_per_beat * 3
chords = [(67, 71, 74), (66, 69, 74), (67, 72, 76), (66, 69, 74)]
track = mido.MidiTrack()
track.append(mido.MetaMessage("track_name", name="Strings", time=0))
track.append(mido.Message("program_change", channel=2, program=48, time=0))
for chord in chords:
    for note in chord:
        track.append(mido.Message("note_on", channel=2, note=note, velocity=60, time=0))
    for i, note in enumerate(chord):
        track.append(mido.Message("note_off", channel=2, note=note, velocity=64, time=bar if i == 0 else 0))
track.append(mido.MetaMessage("end_of_track", time=0))
m.tracks.append(track)
m.save("out.mid")
again = mido.MidiFile("out.mid")
print([(t.name, len(t)) for t in again.tracks])
for x in again.tracks[-1]:
    print(x)
