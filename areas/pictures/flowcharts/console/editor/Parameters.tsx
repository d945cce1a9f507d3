import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input, Select } from 'antd'
import { useRows } from '../../../../../console/kernel/api.ts'
import { useMay } from '../../../../../console/session/session.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { type Parameter, parameterTypes, type Scene } from '../../../../../contract/picture/scene.ts'
import { proModel } from '../../../../configuration/models/contract.ts'
import { ParameterValue } from './PictureChoice.tsx'
import type { Points } from './Source.tsx'
import type { Editor } from './useEditor.ts'

const noScene: Scene = { v: 1, width: 100, height: 100, items: [] }

/** Parameters of a picture, which let it serve many devices. */
export const Parameters = ({ editor: { scene, change }, points }: { editor: Editor; points: Points }) => {
  const t = useWords()
  const seesModels = useMay(proModel.permission)
  const { data: models } = useRows(proModel, { PageSize: 200 }, { enabled: seesModels })
  const parameters = scene.parameters ?? []
  const write = (next: Parameter[]) => change('set', (now): Scene => ({ ...now, parameters: next }), true)
  const put = (at: number, more: Partial<Parameter>) => {
    const next = parameters.map((one, i) => {
      if (i !== at) return one
      const changed: Record<string, unknown> = { ...one, ...more }
      for (const [name, value] of Object.entries(more)) if (value === undefined) delete changed[name]
      return changed as unknown as Parameter
    })
    write(next)
  }
  const rename = (at: number, name: string) => {
    if (/^[^{}.#]{1,50}$/.test(name) && !parameters.some((one, i) => i !== at && one.name === name)) put(at, { name })
  }
  const add = () => {
    let n = parameters.length + 1
    while (parameters.some(({ name }) => name === `P${n}`)) n++
    write([...parameters, { name: `P${n}`, type: 'device' }])
  }
  return (
    <section aria-label={t('edit.parameters')}>
      <h3>{t('edit.parameters')}</h3>
      {parameters.map((parameter, i) => (
        <div key={`${i} ${parameters.length}`} className="edit-parameter">
          <div className="edit-numbers">
            <Form.Item label={t('edit.name')}>
              <Input
                aria-label={t('edit.parameter', { n: i + 1 })}
                maxLength={50}
                value={parameter.name}
                onChange={(event) => rename(i, event.target.value)}
              />
            </Form.Item>
            <Form.Item label={t('edit.type')}>
              <Select
                aria-label={`${t('edit.type')}: ${parameter.name}`}
                value={parameter.type}
                options={parameterTypes.map((value) => ({ value, label: t(`edit.type.${value}`) }))}
                onChange={(type: Parameter['type']) => put(i, { type, value: undefined, model: undefined })}
              />
            </Form.Item>
          </div>
          {parameter.type === 'device' && seesModels && (
            <Form.Item label={t('edit.ofModel')}>
              <Select
                aria-label={`${t('edit.ofModel')}: ${parameter.name}`}
                allowClear
                value={parameter.model ?? null}
                options={(models?.Items ?? []).map(({ Id, ModelName }) => ({ value: Id, label: ModelName }))}
                onChange={(model: number | null) => put(i, { model: model ?? undefined })}
              />
            </Form.Item>
          )}
          <Form.Item label={t('edit.default')}>
            <ParameterValue
              parameter={parameter}
              value={parameter.value}
              scene={noScene}
              points={points}
              change={(value) => put(i, { value })}
            />
          </Form.Item>
          <Button
            type="text"
            size="small"
            icon={<DeleteOutlined />}
            aria-label={t('edit.parameter.remove', { name: parameter.name })}
            onClick={() => write(parameters.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      {parameters.length < 50 && (
        <Button icon={<PlusOutlined />} onClick={add}>
          {t('edit.parameter.add')}
        </Button>
      )}
    </section>
  )
}
