type Position = number[]

/** A ring without jumps at the edge of the map: it continues beyond 180 degrees. A ring around a pole is closed along the pole. */
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

/** The part of a ring on one side of a meridian (Sutherland and Hodgman). */
const clipped = (ring: readonly Position[], meridian: number, side: 1 | -1): Position[] => {
  const within = ([longitude = 0]: Position) => (longitude - meridian) * side >= 0
  const cut = ring.flatMap((to, i) => {
    const from = ring[i ? i - 1 : ring.length - 1]!
    if (within(from) === within(to)) return within(to) ? [to] : []
    const share = (meridian - from[0]!) / (to[0]! - from[0]!)
    const edge = [meridian, from[1]! + share * (to[1]! - from[1]!)]
    return within(to) ? [edge, to] : [edge]
  })
  return cut.length ? [...cut, cut[0]!] : []
}

const turn = 360
/** Splits a polygon into polygons between 180 degrees west and east. Pure. */
export const onOneMap = (polygon: readonly (readonly Position[])[]): Position[][][] => {
  const rings = polygon.map(unwrapped)
  const longitudes = rings[0]!.map(([longitude]) => longitude!)
  if (Math.min(...longitudes) >= -180 && Math.max(...longitudes) <= 180) return [rings]
  return [-turn, 0, turn].flatMap((shift) => {
    const parts = rings.map((ring) =>
      clipped(clipped(ring, shift - 180, 1), shift + 180, -1).map(([longitude = 0, latitude = 0]) => [longitude - shift, latitude]),
    )
    return parts[0]!.length ? [parts.filter((part) => part.length)] : []
  })
}
