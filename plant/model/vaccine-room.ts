// A cold room for vaccines and reagents (2 to 8 °C) with twelve probes. It follows from the clock alone, so any moment of its past can be had
// without those before it, and other models keep their random numbers.
import { isQuietWeek } from '../../contract/demo-plant.ts'
import { day } from './conditions.ts'
import { seeded } from './random.ts'

/** s of the day at which it begins and ends, UTC. */
type Stretch = readonly [from: number, to: number]
type Day = { epochDay: number; openings: Stretch[]; cut: Stretch | undefined }

/** Deliveries and pickups of a day; the longest opening is one that somebody forgot. */
const [openingFor, forgottenFor, cutFor] = [240, 2700, 7200]
const eventsOf = (epochDay: number): Day => {
  const random = seeded(epochDay * 7919 + 18)
  const isSunday = epochDay % 7 === 3
  const openings = Array.from({ length: isSunday ? 1 : 5 }, (_, i): Stretch => {
    const from = (6 + 2.4 * i + 1.5 * random()) * 3600
    return [from, from + openingFor * (0.4 + 0.8 * random())]
  })
  const [forgets, fails, at] = [random(), random(), random()]
  const isQuiet = isQuietWeek(epochDay)
  const last = openings.at(-1)!
  if (!isQuiet && forgets < 0.025) openings[openings.length - 1] = [last[0], last[0] + forgottenFor * (0.7 + 0.6 * at)]
  const from = (8 + 5 * at) * 3600
  return { epochDay, openings, cut: !isQuiet && fails < 0.008 ? [from, from + cutFor * (0.6 + 0.8 * at)] : undefined }
}
let today: Day = { epochDay: -1, openings: [], cut: undefined }
const dayOf = (seconds: number) => {
  const epochDay = Math.floor(seconds / day)
  if (today.epochDay !== epochDay) today = eventsOf(epochDay)
  return today
}

const isIn = (at: number, [from, to]: Stretch) => at >= from && at < to
/** How far the air has followed a disturbance, 0 to 1: up while it lasts, then down again. */
const followed = (at: number, [from, to]: Stretch, up: number, down: number) => {
  if (at < from) return 0
  const reached = 1 - Math.exp(-(Math.min(at, to) - from) / up)
  return at < to ? reached : reached * Math.exp(-(at - to) / down)
}

/** K that a door left open, and a compressor without power, add in the end. */
const [doorRise, cutRise] = [9, 14]
/** By probe: what it differs by, and how much of the door's air reaches it. Five hang at the door, five at the air outlet, between them the centre and a corner. */
const probes: readonly (readonly [offset: number, door: number])[] = [
  ...([
    [0.5, 1],
    [0.4, 0.9],
    [0.6, 0.75],
    [0.3, 0.6],
    [0.2, 0.55],
    [0, 0.35],
  ] as const),
  ...([
    [0.2, 0.25],
    [-0.3, 0.2],
    [-0.5, 0.15],
    [-0.6, 0.15],
    [-0.4, 0.2],
    [-0.5, 0.18],
  ] as const),
]
const setPoint = 4.9

type VaccineRoom = { temperatures: number[]; humidities: [number, number]; isDoorOpen: boolean; isCut: boolean }
const work = (seconds: number): VaccineRoom => {
  const { openings, cut } = dayOf(seconds)
  const at = seconds % day
  const warm =
    doorRise *
    Math.min(
      1,
      openings.reduce((sum, of) => sum + followed(at, of, 1500, 900), 0),
    )
  const risen = cut ? cutRise * followed(at, cut, 14_400, 3600) : 0
  // The compressor's cycle, 26 minutes, and the warmth of the day.
  const cycle = cut && isIn(at, cut) ? 0 : 0.45 * Math.sin((2 * Math.PI * seconds) / 1560)
  const drift = 0.15 * Math.sin((2 * Math.PI * (at - 32_400)) / day)
  const temperatures = probes.map(
    ([offset, door], i) => setPoint + offset + drift + risen + door * warm + cycle + 0.06 * Math.sin(seconds / (171 + 23 * i)),
  )
  const wet = 58 + 2.2 * warm + 1.5 * Math.sin(seconds / 4100)
  return {
    temperatures,
    humidities: [Math.min(98, wet), Math.min(98, wet - 3 - 0.8 * warm)],
    isDoorOpen: openings.some((of) => isIn(at, of)),
    isCut: cut !== undefined && isIn(at, cut),
  }
}
let known = { seconds: Number.NaN, room: undefined as unknown as VaccineRoom }
/** All points ask about the same moment. */
export const vaccineRoomAt = (seconds: number): VaccineRoom => {
  if (known.seconds !== seconds) known = { seconds, room: work(seconds) }
  return known.room
}
