import { Form, Input } from 'antd'
import { faultText } from '../../../../console/kernel/form/rules.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Protocol } from '../../../../contract/protocols/protocol.ts'
import { type Lines, valuesOf } from './eachDevice.ts'

type Fields = Protocol['device']

/** Settings per device: one line for each, in the order of names. A single whole number counts up. */
export const EachSettings = ({ fields, count }: { fields: Fields; count: number }) => {
  const t = useWords()
  return Object.entries(fields).map(([name, field]) => {
    const label = `setting.${name}`
    const counts = field.kind === 'number'
    const judge = async (_: unknown, text: string | undefined) => {
      const values = valuesOf(field, text, count)
      if (!values.length) {
        if (field.required) throw new Error(t('form.required', { field: t(label) }))
        return
      }
      if (values.length !== count) throw new Error(t('device.each.count', { count, lines: values.length }))
      const fault = values.map((value) => faultText(field, label, value, t)).find(Boolean)
      if (fault) throw new Error(fault)
    }
    return (
      <Form.Item
        key={name}
        name={['Lines', name] satisfies ['Lines', keyof Lines]}
        label={t(label)}
        extra={t(counts ? 'device.each.counts' : 'device.each.lines')}
        dependencies={['NameRule']}
        rules={[{ validator: judge }]}
      >
        <Input.TextArea autoSize={{ minRows: 1, maxRows: 6 }} className="figures" />
      </Form.Item>
    )
  })
}
