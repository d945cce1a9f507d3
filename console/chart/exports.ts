import type { ParaInfo } from '../../contract/telemetry.ts'
import { saveFile } from '../session/request.ts'
import { timeText } from '../words/formats.ts'
import type { Line } from './assemble.ts'

const name = (kind: string) => `trend-${timeText(Date.now()).replaceAll(/[ :]/g, '-')}.${kind}`

/** To the millisecond where it is not a whole second, so that fast readings stay apart. */
const moment = (at: number) => timeText(at) + (at % 1000 ? `.${String(Math.floor(at % 1000)).padStart(3, '0')}` : '')

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
// A sheet must not take a name for a formula.
const harmless = (text: string) => quoted(/^[=+@\-\t]/.test(text) ? `'${text}` : text)

/** What is drawn, as columns: a line a moment; the average and, of buckets, the lowest and highest. */
export const csvOf = (points: readonly ParaInfo[], lines: readonly Line[], timeTitle: string): string => {
  const rows = new Map<number, Map<string, number>>()
  const titles: string[] = []
  lines.forEach((line, i) => {
    const p = points[i]!
    const title = `${p.DeviceName} ${p.ParaName}${p.ParaUnitName ? ` (${p.ParaUnitName})` : ''}`
    const columns = { '': line.Value, ...(line.Low && line.High ? { ' min': line.Low, ' max': line.High } : {}) }
    for (const [suffix, values] of Object.entries(columns)) {
      titles.push(title + suffix)
      line.Time.forEach((at, n) => {
        const value = values[n]
        if (typeof value !== 'number') return
        const row = rows.get(at) ?? new Map<string, number>()
        rows.set(at, row.set(title + suffix, value))
      })
    }
  })
  const body = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([at, row]) => [moment(at), ...titles.map((title) => row.get(title) ?? '')].join(','))
  return [[timeTitle, ...titles].map(harmless).join(','), ...body].join('\r\n')
}

export const saveCsv = (points: readonly ParaInfo[], lines: readonly Line[], timeTitle: string) =>
  saveFile(new Blob(['\uFEFF', csvOf(points, lines, timeTitle)], { type: 'text/csv;charset=utf-8' }), name('csv'))

/** The plot on its ground, as it stands. */
export const savePng = (canvas: HTMLCanvasElement, ground: string) => {
  const copy = document.createElement('canvas')
  copy.width = canvas.width
  copy.height = canvas.height
  const ctx = copy.getContext('2d')!
  ctx.fillStyle = ground
  ctx.fillRect(0, 0, copy.width, copy.height)
  ctx.drawImage(canvas, 0, 0)
  copy.toBlob((blob) => blob && saveFile(blob, name('png')))
}
