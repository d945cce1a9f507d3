import { Form } from 'antd'
import { useState } from 'react'
import { alarmCode, alarmPlan } from '../../areas/alarms/alarm-plans/contract.ts'
import { point } from '../../areas/configuration/points/contract.ts'
import { enterprise } from '../../areas/people/enterprises/contract.ts'
import { organ } from '../../areas/people/organs/contract.ts'
import { user } from '../../areas/people/users/contract.ts'
import { timer } from '../../areas/system/timers/contract.ts'
import { Cell, FieldInput } from '../../console/kernel/fields.tsx'
import { RefsInput } from '../../console/kernel/form/RefsInput.tsx'
import { faultText } from '../../console/kernel/form/rules.ts'
import { useWords } from '../../console/words/words.ts'
import type { Field } from '../../contract/field.ts'
import type { Resource } from '../../contract/resource.ts'
import type { Seeds } from './seed.ts'

type Sample = { of: Resource; field: string; value: unknown; wrong?: unknown }

/** A field of each kind. The compiler names a kind that is missing here. */
const samples = ({ works }: Seeds): Record<Exclude<Field['kind'], 'json'>, Sample> => ({
  text: { of: alarmCode, field: 'Name', value: 'Seal leaks' },
  long: { of: alarmCode, field: 'Reason', value: 'Water in the oil chamber.' },
  number: { of: point, field: 'CollectPeriod', value: 1000, wrong: 5 },
  flag: { of: enterprise, field: 'SingleLogin', value: 1 },
  choice: { of: alarmCode, field: 'Level', value: 2 },
  instant: { of: user, field: 'ValidTo', value: '2031-05-04 09:30:00' },
  files: { of: alarmPlan, field: 'Files', value: [{ FilePath: 'files/1/00000000000000000000000000000000.pdf', FileName: 'Seal.pdf' }] },
  ref: { of: user, field: 'BelongOrganId', value: works.Id },
})

const Input = ({ of, field, value: given, disabled }: Sample & { disabled?: boolean }) => {
  const t = useWords()
  const [value, setValue] = useState(given)
  const label = t(`${of.name}.${field}`)
  const shared = { name: `${of.name}.${field}`, value, onChange: setValue, 'aria-label': label }
  return <FieldInput field={of.fields[field]!} {...shared} {...(disabled ? { disabled } : {})} />
}

const Row = (sample: Sample) => {
  const t = useWords()
  const { of, field, value, wrong } = sample
  const label = t(`${of.name}.${field}`)
  const fault = wrong === undefined ? t('form.required', { field: label }) : faultText(of.fields[field]!, `${of.name}.${field}`, wrong, t)
  const joined = { ...{ OrganName: 'Waterworks' }, [field]: value }
  return (
    <>
      <Form.Item label={label}>
        <Input {...sample} value={null} />
      </Form.Item>
      <Form.Item label={label}>
        <Input {...sample} />
      </Form.Item>
      <Form.Item label={label} extra={<Cell of={of} field={field} row={joined} />}>
        <Input {...sample} disabled />
      </Form.Item>
      <Form.Item label={label} validateStatus="error" help={fault}>
        <Input {...sample} value={wrong ?? null} />
      </Form.Item>
    </>
  )
}

/** Its next times depend on the day. */
export const Cron = () => {
  const t = useWords()
  return (
    <Form layout="vertical" component="div">
      <Form.Item label={t('timer.Cron')}>
        <Input of={timer} field="Cron" value="0 30 6 * * ?" />
      </Form.Item>
    </Form>
  )
}

/** An input of each field kind: empty, filled, disabled with its cell below, and refused. */
export const Fields = ({ seeds }: { seeds: Seeds }) => {
  const t = useWords()
  const [organs, setOrgans] = useState([seeds.works.Id])
  return (
    <Form layout="vertical" component="div">
      <div className="kit-fields">
        {Object.entries(samples(seeds)).map(([kind, sample]) => (
          <Row key={kind} {...sample} />
        ))}
        <Form.Item label={t('dataPermission.OrganIds')}>
          <RefsInput to={organ} value={organs} onChange={setOrgans} aria-label={t('dataPermission.OrganIds')} />
        </Form.Item>
      </div>
    </Form>
  )
}
