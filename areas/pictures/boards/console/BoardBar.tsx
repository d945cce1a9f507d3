import { RefInput } from '../../../../console/kernel/RefInput.tsx'
import { useMayCode } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { TrendRange } from '../../../analysis/telemetry/console/TrendChoice.tsx'
import { device } from '../../../configuration/devices/contract.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import type { BoardContent } from '../contract.ts'
import type { useBoardView } from './useBoardView.ts'

const resources = { project, model: proModel, device } as const

/** What people choose while they look: records, and the time. */
export const BoardBar = ({ content, view }: { content: BoardContent; view: ReturnType<typeof useBoardView> }) => {
  const t = useWords()
  const may = useMayCode()
  const { chosen, choose } = view
  const where = { device: { ProjectId: chosen('project'), ModelId: chosen('model') } as Record<string, number | undefined> }
  return (
    <div className="board-bar">
      {content.Variables.filter(({ Name }) => may(resources[Name].permission)).map(({ Name }) => (
        <label key={Name} htmlFor={`board-${Name}`}>
          <span className="soft">{t(resources[Name].name)}</span>
          <RefInput
            id={`board-${Name}`}
            to={resources[Name]}
            value={chosen(Name) ?? null}
            onChange={(id) => choose(Name, id)}
            {...(Name === 'device' && { where: { ModelId: where.device.ModelId } })}
            style={{ minWidth: 180 }}
          />
        </label>
      ))}
      <TrendRange view={view} since={undefined} />
    </div>
  )
}
