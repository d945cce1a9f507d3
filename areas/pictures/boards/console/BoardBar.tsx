import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMayCode } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { TrendRange } from '../../../analysis/telemetry/console/TrendChoice.tsx'
import { device } from '../../../configuration/devices/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { type BoardContent, most } from '../contract.ts'
import type { useBoardView } from './useBoardView.ts'

export const variableResources = { project: projects, model: proModel, device } as const

/** Choices of the viewer: records, and the time range. */
type Props = { content: BoardContent; view: ReturnType<typeof useBoardView>; project: number | null }
export const BoardBar = ({ content, view, project }: Props) => {
  const t = useWords()
  const may = useMayCode()
  const { chosen, choose, devices } = view
  return (
    <div className="board-bar">
      {content.Variables.filter(({ Name }) => may(variableResources[Name].permission)).map(({ Name }) => (
        <label key={Name} htmlFor={`board-${Name}`}>
          <span className="soft">{t(variableResources[Name].name)}</span>
          {Name === 'device' ? (
            <RefsInput
              id="board-device"
              to={device}
              value={devices}
              most={most.chosen}
              where={{ ModelId: chosen('model'), ProjectId: chosen('project') ?? project ?? undefined }}
              onChange={(ids) => choose(Name, ids)}
            />
          ) : (
            <RefInput
              id={`board-${Name}`}
              to={variableResources[Name]}
              value={chosen(Name) ?? null}
              onChange={(id) => choose(Name, id ? [id] : [])}
              style={{ minWidth: 180 }}
            />
          )}
        </label>
      ))}
      <TrendRange view={view} since={undefined} />
    </div>
  )
}
