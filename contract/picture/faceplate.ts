// What every device has for a faceplate: its values, and a trend of the first of them. Its alarms stand below.
import type { ParaInfo } from '../telemetry.ts'
import { emptyScene, type Item, type Scene } from './scene.ts'

const [width, rowHeight, margin] = [360, 22, 8]
const most = { rows: 12, curves: 3 }

/** Points that charts show come first; states are not drawn as curves. */
export const faceplateOf = (points: readonly ParaInfo[]): Scene => {
  const shown = points.toSorted((a, b) => Number(b.IsChartShow === 2) - Number(a.IsChartShow === 2)).slice(0, most.rows)
  const curves = shown.filter(({ ZeroText, OneText }) => !ZeroText && !OneText).slice(0, most.curves)
  const items: Item[] = []
  let y = margin
  const add = (item: Record<string, unknown>, h: number) => {
    items.push({ ...item, x: margin, y, w: width - 2 * margin, h } as unknown as Item)
    y += h + margin
  }
  const read = ({ ParaId }: ParaInfo) => `#${ParaId}`
  if (shown.length) add({ kind: 'table', id: 'values', reads: shown.map(read), size: 12 }, shown.length * rowHeight + 8)
  if (curves.length) add({ kind: 'trend', id: 'trend', reads: curves.map(read), span: '1h', size: 11 }, 140)
  return { ...emptyScene(width, Math.max(100, y)), items }
}
