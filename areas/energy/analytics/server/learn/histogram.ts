import { fewestBins, mostBins } from '../../contract.ts'

/** Value below which a share lies, between its neighbours (Hyndman and Fan, type 7). */
export const quantileOf = (sorted: Float64Array, share: number) => {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  return sorted[low]! + (at - low) * ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!)
}

/** Freedman and Diaconis, within bounds. */
const usualBins = (sorted: Float64Array) => {
  const width = (2 * (quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25))) / Math.cbrt(sorted.length)
  const span = sorted.at(-1)! - sorted[0]!
  return width > 0 ? Math.min(mostBins, Math.max(fewestBins, Math.ceil(span / width))) : fewestBins
}

export const histogramOf = (values: Float64Array, bins?: number) => {
  const sorted = values.toSorted()
  const [low, high] = [sorted[0]!, sorted.at(-1)!]
  const count = low === high ? 1 : (bins ?? usualBins(sorted))
  const edges = Array.from({ length: count + 1 }, (_, i) => (i === count ? high : low + (i * (high - low)) / count))
  const counts = new Array<number>(count).fill(0)
  for (const value of sorted) counts[Math.min(count - 1, Math.floor(((value - low) / (high - low || 1)) * count))]!++
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  const square = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return {
    ...{ edges, counts, mean, std: sorted.length > 1 ? Math.sqrt(square / (sorted.length - 1)) : 0 },
    ...{ p5: quantileOf(sorted, 0.05), p50: quantileOf(sorted, 0.5), p80: quantileOf(sorted, 0.8), p95: quantileOf(sorted, 0.95) },
  }
}
