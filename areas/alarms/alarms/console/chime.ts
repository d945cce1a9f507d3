/** Minimum interval between sounds, ms: a flood of alarms makes one sound. */
const pauseMs = 3000
let context: AudioContext | undefined
let lastAt = Number.NEGATIVE_INFINITY

/** A short sound; two rising tones for the highest level. Browsers allow it only after a user gesture. */
export const chime = (isUrgent: boolean) => {
  if (!navigator.userActivation?.hasBeenActive || performance.now() - lastAt < pauseMs) return
  lastAt = performance.now()
  context ??= new AudioContext()
  const { destination, currentTime } = context
  for (const [i, pitch] of (isUrgent ? [660, 880] : [520]).entries()) {
    const start = currentTime + i * 0.22
    const tone = context.createOscillator()
    const volume = context.createGain()
    tone.frequency.value = pitch
    // Fades in and out to avoid a click.
    volume.gain.setValueAtTime(0, start)
    volume.gain.linearRampToValueAtTime(0.2, start + 0.02)
    volume.gain.linearRampToValueAtTime(0, start + 0.18)
    tone.connect(volume).connect(destination)
    tone.start(start)
    tone.stop(start + 0.2)
  }
}
