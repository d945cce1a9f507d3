type Position = number[]

/**
 * A ring without jumps from one edge of the map to the other: it goes on beyond 180 degrees. A ring round a pole is closed along the
 * edge of the map. Pure.
 */
export const unwrapped = (ring: readonly Position[]): Position[] => {
  let shift = 0
  const going = ring.map(([longitude = 0, latitude = 0], i) => {
    const step = i ? longitude - ring[i - 1]![0]! : 0
    if (Math.abs(step) > 180) shift -= 360 * Math.sign(step)
    return [longitude + shift, latitude]
  })
  const [first, last] = [going[0]!, going.at(-1)!]
  if (Math.abs(last[0]! - first[0]!) < 180) return going
  const pole = 90 * Math.sign(first[1]!)
  return [...going, [last[0]!, pole], [first[0]!, pole], first]
}
