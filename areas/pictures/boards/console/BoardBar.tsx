import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMayCode } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { TrendRange } from '../../../analysis/telemetry/console/TrendChoice.tsx'
import { device } from '../../../configuration/devices/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import type { BoardContent } from '../contract.ts'
import type { useBoardView } from './useBoardView.ts'

export const variableResources = { project, model: proModel, device } as const

/** What people choose while they look: records, and the time. */
export const BoardBar = ({ content, view }: { content: BoardContent; view: ReturnType<typeof useBoardView> }) => {
  const t = useWords()
  const may = useMayCode()
  const { chosen, choose } = view
  return (
    <div className="board-bar">
      {content.Variables.filter(({ Name }) => may(variableResources[Name].permission)).map(({ Name }) => (
        <label key={Name} htmlFor={`board-${Name}`}>
          <span className="soft">{t(variableResources[Name].name)}</span>
          <RefInput
            id={`board-${Name}`}
            to={variableResources[Name]}
            value={chosen(Name) ?? null}
            onChange={(id) => choose(Name, id)}
            {...(Name === 'device' && { where: { ModelId: chosen('model') } })}
            style={{ minWidth: 180 }}
          />
        </label>
      ))}
      <TrendRange view={view} since={undefined} />
    </div>
  )
}
