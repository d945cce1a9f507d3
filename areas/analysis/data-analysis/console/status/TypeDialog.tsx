import { App, Form, InputNumber, Modal, Select } from 'antd'
import { useWrite } from '../../../../../console/kernel/api.ts'
import { queryString, request } from '../../../../../console/session/request.ts'
import { useWords } from '../../../../../console/words/words.ts'
import { analysisCalls, calDataTypes } from '../../../telemetry/contract.ts'

export type Meant = { CalDataType: number; MaxReading?: number | null; HourlyHigh?: number | null; Tolerance?: number | null }
type Props = { ids: readonly number[]; begin?: Meant; close: () => void; done?: () => void }
const limits = ['MaxReading', 'HourlyHigh', 'Tolerance'] as const

/** What the values of points are, and the rules of a counter. */
export const TypeDialog = ({ ids, begin = { CalDataType: 0 }, close, done }: Props) => {
  const t = useWords()
  const { message } = App.useApp()
  const [form] = Form.useForm<Meant>()
  const type = Form.useWatch('CalDataType', form) ?? begin.CalDataType
  const { path, method } = analysisCalls.setType
  const set = useWrite(
    ['point'],
    ({ type, query }: { type: number; query: object }) =>
      request(method, path.replace(':ParaIds', ids.join()).replace(':CalDataType', String(type)) + queryString(query)),
    { meta: { quiet: true } },
  )
  const keep = async () => {
    const given = await form.validateFields()
    const rules = given.CalDataType === 1 ? limits.flatMap((name) => (typeof given[name] === 'number' ? [[name, given[name]]] : [])) : []
    try {
      await set.mutateAsync({ type: given.CalDataType, query: Object.fromEntries(rules) })
    } catch {
      return
    }
    void message.success(t('status.typeSet', { count: ids.length }))
    done?.()
    close()
  }
  return (
    <Modal
      open
      title={t('status.setType')}
      okText={t('save')}
      okButtonProps={{ loading: set.isPending }}
      onOk={() => void keep()}
      onCancel={close}
    >
      <Form form={form} layout="vertical" initialValues={begin}>
        <Form.Item name="CalDataType" label={t('point.CalDataType')}>
          <Select options={calDataTypes.map((value) => ({ value, label: t(`point.CalDataType.${value}`) }))} />
        </Form.Item>
        {type === 1 &&
          limits.map((name) => (
            <Form.Item key={name} name={name} label={t(`meaning.${name}`)} extra={t(`meaning.${name}.help`)}>
              <InputNumber min={0} max={1e15} style={{ width: '100%' }} />
            </Form.Item>
          ))}
      </Form>
      {set.error && <p role="alert">{set.error.message}</p>}
      <p className="faint">{t('status.typeHelp')}</p>
    </Modal>
  )
}
