// A board as a file, for another project, company or installation: points and devices are identified by name. Pure.
import type { ParaInfo } from '../../../../contract/telemetry.ts'
import type { BoardContent, Widget } from '../contract.ts'

type Named = { Device: string; Point: string }
export type BoardFile = { Format: 'penstock-board'; Version: 1; Title: string; Content: BoardContent; Points: Record<string, Named> }

/** Removes images, devices and initial records, which belong to one board. */
const portable = ({ Devices, Image, ...widget }: Widget): Widget => widget

export const toFile = (Title: string, Content: BoardContent, points: readonly ParaInfo[]): BoardFile => {
  const used = new Set(Content.Widgets.flatMap((w) => w.Points ?? []))
  return {
    ...{ Format: 'penstock-board', Version: 1, Title },
    Content: { ...Content, Variables: Content.Variables.map(({ Name }) => ({ Name })), Widgets: Content.Widgets.map(portable) },
    Points: Object.fromEntries(
      points.filter((p) => used.has(p.ParaId)).map((p) => [p.ParaId, { Device: p.DeviceName, Point: p.ParaName }]),
    ),
  }
}

/** Parses a file; undefined if it is not a board. The server validates the content. */
export const readFile = (text: string): BoardFile | undefined => {
  try {
    const file = JSON.parse(text) as BoardFile
    return file?.Format === 'penstock-board' && file.Version === 1 && Array.isArray(file.Content?.Widgets) ? file : undefined
  } catch {
    return undefined
  }
}

/** The content with points matched by name, and the number of points without a match. */
export const fromFile = ({ Content, Points = {} }: BoardFile, points: readonly ParaInfo[]): { content: BoardContent; missing: number } => {
  const ids = new Map(
    Object.entries(Points).map(([id, named]) => [
      Number(id),
      points.find((p) => p.DeviceName === named?.Device && p.ParaName === named?.Point)?.ParaId,
    ]),
  )
  let missing = 0
  const found = (id: number) => {
    const here = ids.get(id)
    if (here === undefined) missing++
    return here ?? []
  }
  const Widgets = Content.Widgets.map((widget) => ({
    ...portable(widget),
    ...(Array.isArray(widget.Points) && { Points: widget.Points.flatMap(found) }),
  }))
  return { content: { ...Content, Widgets }, missing }
}
