// Derives the historical data of board widgets. Pure.
import { longestSilence } from '../../../../console/chart/assemble.ts'
import type { Range } from '../../../../console/chart/ranges.ts'
import type { ParaInfo, Series } from '../../../../contract/telemetry.ts'

export type Bin = { start: number; end: number; value: number | null }

/** Means of equal parts of a range, weighted by the number of readings; null without readings. */
export const binned = ({ Time, Avg, Count }: Series, { start, end }: Range, count: number): Bin[] => {
  const width = (end - start) / count
  const sums = Array.from({ length: count }, () => ({ sum: 0, of: 0 }))
  for (const [i, at] of Time.entries()) {
    const bin = sums[Math.floor((at - start) / width)]
    const value = Avg[i]
    if (!bin || value === null || value === undefined) continue
    const weight = Math.max(1, Count[i] ?? 1)
    bin.sum += value * weight
    bin.of += weight
  }
  return sums.map(({ sum, of }, i) => ({ start: start + i * width, end: start + (i + 1) * width, value: of ? sum / of : null }))
}

/** A period with one value of a point; `mixed` if it changed more often than can be drawn. */
export type Segment = { start: number; end: number; value: number | 'mixed' }

/** States over time. Long periods without readings, and readings without a value, are gaps. */
export const segmentsOf = (
  { Raw, Time, Min, Max }: Series,
  p: Pick<ParaInfo, 'ExpectedMs'>,
  { start, end }: Range,
  step: number,
): Segment[] => {
  const silence = longestSilence(p.ExpectedMs, step, Raw)
  const found: Segment[] = []
  for (const [i, at] of Time.entries()) {
    const [low, high] = [Min[i], Max[i]]
    if (low === null || low === undefined || high === undefined) continue
    const next = Time[i + 1] ?? Math.min(end, at + silence)
    const value = low === high ? low : 'mixed'
    const segment = {
      start: Math.max(start, at),
      end: Math.min(end, next - at > silence ? at + (Raw ? silence : step) : next),
      value,
    } as Segment
    const last = found.at(-1)
    if (last && last.value === value && segment.start - last.end < 1) last.end = segment.end
    else if (segment.end > segment.start) found.push(segment)
  }
  return found
}

/** Lowest and highest of the bins. */
export const extentOf = (bins: readonly Bin[]): [low: number, high: number] | undefined => {
  const values = bins.flatMap(({ value }) => (value === null ? [] : [value]))
  return values.length ? [Math.min(...values), Math.max(...values)] : undefined
}

/** Relative position of a value between two others, 0 to 1. */
export const partOf = (value: number, low: number, high: number) =>
  high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5

export type Span = { text: string; bold: boolean }
export type Block = { kind: 'heading' | 'item' | 'line'; spans: Span[] }
/** Text with simple formatting: `# ` heading, `- ` list item, `**bold**`. Everything else is plain text. */
export const blocksOf = (text: string): Block[] =>
  text.split('\n').map((line) => {
    const kind = line.startsWith('# ') ? 'heading' : line.startsWith('- ') ? 'item' : 'line'
    const parts = (kind === 'line' ? line : line.slice(2)).split('**')
    // An unpaired mark is plain text.
    const whole = parts.length % 2 ? parts : [...parts.slice(0, -2), `${parts.at(-2)}**${parts.at(-1)}`]
    return { kind, spans: whole.map((part, i) => ({ text: part, bold: i % 2 === 1 })).filter(({ text: t }) => t) }
  })
