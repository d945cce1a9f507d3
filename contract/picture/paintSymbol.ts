// Symbols with their states: running, open, full.
import type { Look } from './look.ts'
import type { Brush } from './paint.ts'
import { boxOf } from './path.ts'
import type { ItemOf } from './scene.ts'
import type { Part, PictureSymbol } from './symbol.ts'
import { el, round, type Tree } from './tree.ts'

/** Text of a driven property, unless nobody knows it. */
export const drivenText = (look: Look, to: 'fill' | 'stroke' | 'text' | 'picture') => {
  const value = look.driven?.[to]
  return value === undefined || value === null ? undefined : String(value)
}
export const drivenNumber = (
  look: Look,
  to: 'level' | 'open' | 'running' | 'flow' | 'rotate' | 'opacity' | 'scale' | 'x' | 'y' | 'along',
): number | null | undefined => {
  const value = look.driven?.[to]
  return typeof value === 'string' ? Number(value) : value
}

export const thin = { 'stroke-linejoin': 'round', 'stroke-linecap': 'round' }
type Ink = { ink: string; paper: string; fluid: string; width: number }

const levelOf = (part: Part, share: number | null | undefined, { fluid }: Ink): Tree | undefined => {
  if (share === undefined || share === null) return undefined
  const { x, y, w, h } = boxOf(part.d)
  const top = round(y + h * (1 - Math.min(1, Math.max(0, share))))
  const height = round(y + h - top)
  if (height <= 0) return undefined
  return el(
    'svg',
    { x, y: top, width: w, height, viewBox: `${x} ${top} ${w} ${height}` },
    el('path', { d: part.d, fill: fluid, stroke: 'none' }),
  )
}

/** Hollow, filled or, where nobody knows, dashed. */
const stateful = (part: Part, isOn: boolean | null | undefined, { ink, paper, width }: Ink) =>
  el('path', {
    ...{ d: part.d, fill: isOn ? ink : paper, stroke: ink, 'stroke-width': width, ...thin },
    ...(isOn === null ? { 'stroke-dasharray': '4 3' } : {}),
  })

const paintPart = (part: Part, look: Look, tools: Ink): Tree | undefined => {
  const { ink, paper, width } = tools
  const { d, role } = part
  const [running, open] = [drivenNumber(look, 'running'), drivenNumber(look, 'open')]
  const isRunning = running === undefined || running === null ? running : running > 0
  switch (role) {
    case 'body':
      return el('path', { d, fill: paper, stroke: ink, 'stroke-width': width, ...thin })
    case 'line':
      return el('path', { d, fill: 'none', stroke: ink, 'stroke-width': width, ...thin })
    case 'fine':
      return el('path', { d, fill: 'none', stroke: ink, 'stroke-width': width / 2, ...thin })
    case 'solid':
      return el('path', { d, fill: ink, stroke: ink, 'stroke-width': width / 2, ...thin })
    case 'run':
      return stateful(part, isRunning, tools)
    case 'rotor': {
      const turns = isRunning && part.about ? { 'data-turns': part.about.join(' ') } : {}
      const stroke = isRunning ? paper : ink
      return el('path', { d, fill: 'none', stroke, 'stroke-width': width, ...thin, ...turns })
    }
    case 'open':
    case 'shut': {
      // Drawn without values, a valve is open.
      if (open === null) return el('path', { d, fill: 'none', stroke: ink, 'stroke-width': width / 2, 'stroke-dasharray': '4 3', ...thin })
      const isShown = role === 'open' ? (open ?? 1) > 0 : open === 0
      return isShown ? stateful(part, role === 'shut', tools) : undefined
    }
    case 'level':
      return levelOf(part, drivenNumber(look, 'level'), tools)
  }
}

/** The item's colours come before those of a part of its own. */
const inkOf = (item: { fill?: string; stroke?: string; width?: number }, look: Look, { colour }: Brush, part?: Part): Ink => ({
  ink: colour(drivenText(look, 'stroke') ?? item.stroke ?? part?.stroke ?? 'soft'),
  paper: colour(drivenText(look, 'fill') ?? item.fill ?? part?.fill ?? 'surface'),
  fluid: colour('fluid'),
  width: item.width ?? 2,
})

export const paintSymbol = (item: ItemOf<'symbol'>, look: Look, brush: Brush): (Tree | undefined)[] => {
  const symbol = brush.symbol(drivenText(look, 'picture') ?? '') ?? brush.symbol(item.symbol)
  const tools = inkOf(item, look, brush)
  if (!symbol)
    return [el('rect', { width: item.w, height: item.h, fill: 'none', stroke: brush.colour('alarm'), 'stroke-dasharray': '4 3' })]
  const [scaleX, scaleY] = [item.w / symbol.width, item.h / symbol.height]
  const scale = `scale(${round(scaleX)} ${round(scaleY)})`
  // Lines are as thick on a large symbol as on a small one.
  const fine = { ...tools, width: round(tools.width / (Math.sqrt(scaleX * scaleY) || 1)) }
  const inkFor = (part: Part) => (part.fill || part.stroke ? { ...inkOf(item, look, brush, part), width: fine.width } : fine)
  const parts = symbol.parts.map((part) => paintPart(part, look, inkFor(part)))
  const letters =
    symbol.letters && item.letters
      ? el('text', { ...lettersAt(symbol.letters), fill: tools.ink, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, item.letters)
      : undefined
  return [el('g', { transform: scale }, ...parts, letters)]
}
const lettersAt = ([x, y, size]: NonNullable<PictureSymbol['letters']>) => ({ x, y, 'font-size': size })
