import type { Cell } from '../../contract/cell.ts'
import type { ParaInfo } from '../../contract/telemetry.ts'
import { saveFile, saveCsv as saveRows } from '../session/request.ts'
import type { Colours } from '../theme/tokens.ts'
import { timeText } from '../words/formats.ts'
import type { Line } from './assemble.ts'
import { fullName } from './names.ts'

const slug = (text: string) => text.toLocaleLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')

const stamp = () => timeText(Date.now()).replaceAll(/[ :]/g, '-')
/** File name from a title and the time of saving. */
export const namedFile = (title: string, kind: string) => `${slug(title)}-${stamp()}.${kind}`

/** File name from up to two devices and the time of saving. */
export const fileName = (points: readonly ParaInfo[], kind: string) => {
  const devices = [...new Set(points.map((p) => slug(p.DeviceName)))]
  return ['trend', ...(devices.length > 2 ? [] : devices), `${stamp()}.${kind}`].join('-')
}

/** Time with milliseconds unless it is a whole second, so that fast readings stay distinct. */
const moment = (at: number) => timeText(at) + (at % 1000 ? `.${String(Math.floor(at % 1000)).padStart(3, '0')}` : '')

/** The data of the plot as columns, one row per time; the average and, for buckets, minimum and maximum. */
export const rowsOf = (points: readonly ParaInfo[], lines: readonly Line[], timeTitle: string): Cell[][] => {
  const rows = new Map<number, Map<string, number>>()
  const titles: string[] = []
  lines.forEach((line, i) => {
    const p = points[i]!
    const title = `${fullName(p)}${p.ParaUnitName ? ` (${p.ParaUnitName})` : ''}`
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
  const body = [...rows].sort(([a], [b]) => a - b).map(([at, row]) => [moment(at), ...titles.map((title) => row.get(title) ?? '')])
  return [[timeTitle, ...titles], ...body]
}

export const saveCsv = (points: readonly ParaInfo[], lines: readonly Line[], timeTitle: string) =>
  saveRows(rowsOf(points, lines, timeTitle), fileName(points, 'csv'))

type Picture = { title: string; curves: readonly { name: string; colour: string }[]; colours: Colours; font: string }

/** Saves the plot with its background, time range and the names of its curves. */
export const savePng = (canvas: HTMLCanvasElement, { title, curves, colours, font }: Picture, file: string) => {
  const copy = document.createElement('canvas')
  const ctx = copy.getContext('2d')!
  const ratio = devicePixelRatio
  const [line, edge] = [20 * ratio, 12 * ratio]
  const write = `${13 * ratio}px ${font}`
  ctx.font = write
  const places: { x: number; y: number }[] = []
  let [x, y] = [edge, 2 * line]
  for (const { name } of curves) {
    const width = ctx.measureText(name).width + 3 * edge
    if (x > edge && x + width > canvas.width) [x, y] = [edge, y + line]
    places.push({ x, y })
    x += width
  }
  const head = y + line
  copy.width = canvas.width
  copy.height = canvas.height + head
  ctx.fillStyle = colours.surface
  ctx.fillRect(0, 0, copy.width, copy.height)
  ctx.font = write
  ctx.fillStyle = colours.soft
  ctx.fillText(title, edge, line)
  curves.forEach(({ name, colour }, i) => {
    ctx.fillStyle = colour
    ctx.fillRect(places[i]!.x, places[i]!.y - 6 * ratio, edge, 3 * ratio)
    ctx.fillStyle = colours.text
    ctx.fillText(name, places[i]!.x + 1.5 * edge, places[i]!.y)
  })
  ctx.drawImage(canvas, 0, head)
  copy.toBlob((blob) => blob && saveFile(blob, file))
}
