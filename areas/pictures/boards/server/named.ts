// References of a board.
import type { Row } from '../../../../contract/resource.ts'
import type { BoardContent, visualBoard } from '../contract.ts'

export type Board = Row<typeof visualBoard>

export const resourceOf = { project: 'project', model: 'proModel', device: 'device' } as const
/** Ids in a content, by resource. */
export const namedIn = ({ Widgets, Variables }: BoardContent) => {
  const chosen = Variables.flatMap(({ Name, Id }) => (Id ? [[resourceOf[Name], Id] as const] : []))
  const of = (resource: string) => chosen.filter(([name]) => name === resource).map(([, id]) => id)
  const unique = (ids: readonly number[]) => [...new Set(ids)]
  return {
    point: unique(Widgets.flatMap((w) => w.Points ?? [])),
    device: unique([...Widgets.flatMap((w) => w.Devices ?? []), ...of('device')]),
    reportGroup: unique(Widgets.flatMap(({ Group }) => Group ?? [])),
    savedChart: unique(Widgets.flatMap(({ Chart }) => Chart ?? [])),
    flowchart: unique(Widgets.flatMap(({ Flowchart }) => Flowchart ?? [])),
    project: of('project'),
    proModel: of('proModel'),
  }
}
