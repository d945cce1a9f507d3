import { Select } from 'antd'
import { useWords } from '../../../../console/words/words.ts'
import { type RuleCondition, Selection } from '../alarm-configure.ts'
import { useModels } from './useModels.ts'

type DeviceSelection = NonNullable<RuleCondition['DeviceSelection']>
type Props = { value: DeviceSelection; onChange: (value: DeviceSelection) => void; project: number | undefined }

const keyOf = (model: number | null | undefined, project: number | null | undefined) => `${model} ${project}`

/** A model, and the number of its devices in the project. */
export const ModelPicker = ({ value, onChange, project }: Props) => {
  const t = useWords()
  const { models, nameOf, failed } = useModels(project)
  const options = models.flatMap(({ Id, ModelName: label, ProjectId, ProjectName, Devices }) => {
    const means = t('rules.modelDevices', { project: ProjectName, count: Devices })
    return ProjectId ? [{ value: keyOf(Id, ProjectId), label, means, Id, ProjectId }] : []
  })
  const chosen = value.ModelId ? keyOf(value.ModelId, value.ProjectId) : undefined
  const listed = options.find((o) => o.value === chosen)
  // The last device of the chosen model may have been removed since.
  const current = chosen && !listed ? [{ value: chosen, label: nameOf(value.ModelId!) ?? '…', means: t('rules.noDevices') }] : []
  const means = (listed ?? current[0])?.means
  return (
    <>
      <Select<string, (typeof current)[number]>
        showSearch={{ optionFilterProp: 'label' }}
        value={chosen}
        placeholder={t('rules.chooseModel')}
        aria-label={t('rules.model')}
        notFoundContent={failed ?? t('rules.noModels')}
        options={[...current, ...options]}
        optionRender={({ data }) => (
          <span className="rule-model">
            {data.label} <span className="soft">{data.means}</span>
          </span>
        )}
        onChange={(key) => {
          const o = options.find((o) => o.value === key)
          if (o) onChange({ Type: Selection.model, ModelId: o.Id, ProjectId: o.ProjectId })
        }}
        style={{ width: '100%' }}
      />
      {means && <span className="rule-live soft">{means}</span>}
    </>
  )
}
