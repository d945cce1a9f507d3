// Layout of widgets on the grid. Pure.
import { columns, type Widget } from '../contract.ts'

export const rowHeight = 28
export const gap = 8
export type Place = Pick<Widget, 'X' | 'Y' | 'W' | 'H'>

/** Height of a widget, px. */
export const heightOf = ({ H }: Pick<Place, 'H'>) => H * (rowHeight + gap) - gap

export const within = ({ X, Y, W, H }: Place): Place => {
  const wide = Math.min(columns, Math.max(2, W))
  return { W: wide, H: Math.min(60, Math.max(2, H)), X: Math.min(columns - wide, Math.max(0, X)), Y: Math.min(999, Math.max(0, Y)) }
}

const overlap = (a: Place, b: Place) => a.X < b.X + b.W && b.X < a.X + a.W && a.Y < b.Y + b.H && b.Y < a.Y + a.H
const byPlace = (a: Place, b: Place) => a.Y - b.Y || a.X - b.X

/**
 * Moves all widgets up as far as possible without overlaps, in reading order. The widget with the given Id keeps its position and others
 * give way; when it moves down, it changes places with widgets whose middle it passes.
 */
export const arranged = <W extends Widget>(widgets: readonly W[], put?: string, down = false): W[] => {
  const done: W[] = []
  const settle = (widget: W) => {
    let Y = widget.Y
    while (done.some((other) => overlap({ ...widget, Y }, other))) Y++
    while (Y > 0 && !done.some((other) => overlap({ ...widget, Y: Y - 1 }, other))) Y--
    done.push({ ...widget, Y })
  }
  const moved = widgets.find(({ Id }) => Id === put)
  if (!moved) {
    for (const widget of widgets.toSorted(byPlace)) settle(widget)
  } else {
    const others = widgets.filter((w) => w !== moved)
    const edge = moved.Y + (down ? moved.H : 0)
    const before = others.filter((w) => w.Y + w.H / 2 <= edge && (down || !overlap(w, moved)))
    for (const widget of before.toSorted(byPlace)) settle(widget)
    settle(moved)
    for (const widget of others.filter((w) => !before.includes(w)).toSorted(byPlace)) settle(widget)
  }
  return widgets.map(({ Id }) => done.find((w) => w.Id === Id)!)
}

/** Order in a single column, and tab order. */
export const inOrder = <W extends Place>(widgets: readonly W[]): W[] => widgets.toSorted(byPlace)

/** Groups widgets whose vertical ranges overlap, as rows. */
const rowsOf = <W extends Place>(widgets: readonly W[]): W[][] => {
  const rows: W[][] = []
  let bottom = 0
  for (const widget of inOrder(widgets)) {
    const last = rows.at(-1)
    if (last && widget.Y < bottom) last.push(widget)
    else rows.push([widget])
    bottom = Math.max(bottom, widget.Y + widget.H)
  }
  return rows
}

/** `head`: row of the device's name, if the row is repeated. */
export type Row<W> = { key: string; device: number | undefined; head: number; widgets: W[] }
/** The rows of a board. Rows of the selected device are repeated for each of several devices, each below the device's name. */
export const repeatedRows = <W extends Widget>(
  widgets: readonly W[],
  devices: readonly number[],
  isOfDevice: (widget: W) => boolean,
): Row<W>[] => {
  let shift = 0
  return rowsOf(widgets).flatMap((row): Row<W>[] => {
    const top = row[0]!.Y
    const height = Math.max(...row.map(({ Y, H }) => Y + H)) - top
    const key = row[0]!.Id
    const lowered = (by: number) => row.map((widget) => ({ ...widget, Y: widget.Y + by }))
    if (devices.length < 2 || !row.some(isOfDevice)) return [{ key, device: undefined, head: top + shift, widgets: lowered(shift) }]
    const begin = shift
    shift += devices.length * (height + 1) - height
    return devices.map((device, i) => {
      const by = begin + i * (height + 1)
      return { key: `${key} ${device}`, device, head: top + by, widgets: lowered(by + 1) }
    })
  })
}

/** The first free place below all others. */
export const below = (widgets: readonly Place[]) => Math.max(0, ...widgets.map(({ Y, H }) => Y + H))

/** The widgets with one moved. */
export const put = (widgets: readonly Widget[], id: string, place: Place, down: boolean) =>
  arranged(
    widgets.map((w) => (w.Id === id ? { ...w, ...within(place) } : w)),
    id,
    down,
  )

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'
export const steps: Record<Arrow, [x: number, y: number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const farthest = 60

/** Moves a widget one step by keyboard. Up and down move as far as needed to change places with a neighbour. */
export const stepped = (widgets: readonly Widget[], widget: Widget, key: Arrow, resize: boolean): readonly Widget[] => {
  const [x, y] = steps[key]
  if (resize) return put(widgets, widget.Id, { ...widget, W: widget.W + x, H: widget.H + y }, false)
  const now = JSON.stringify(arranged(widgets))
  for (let far = 1; far <= (y ? farthest : 1); far++) {
    const next = put(widgets, widget.Id, { ...widget, X: widget.X + x, Y: widget.Y + y * far }, y > 0)
    if (JSON.stringify(next) !== now) return next
  }
  return widgets
}
