import { DeleteOutlined } from '@ant-design/icons'
import { Button, Form, InputNumber, Select } from 'antd'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { MeterInput } from '../../circuits/console/MeterInput.tsx'
import {
  bearingHealth,
  type HealthLimits,
  type HealthRule,
  healthRules,
  type InsulationClass,
  insulationClasses,
  mostPoints,
  motorHealth,
  type Role,
  roles,
  type VibrationGroup,
  vibrationGroups,
} from '../contract.ts'
import { lastDays, RangeFields, type RangeValues, rangeOf, useTrain } from './TrainForm.tsx'

type Machine = typeof bearingHealth | typeof motorHealth
type Values = RangeValues & {
  Points: { ParaId?: number | null; Role: Role }[]
  Group: VibrationGroup
  Insulation?: InsulationClass | null
  Limits: Partial<Record<HealthRule, { Watch?: number | null; Alarm?: number | null }>>
}
/** Default measurements by machine type. */
const usual: Record<Machine, readonly Role[]> = {
  [bearingHealth]: ['velocity', 'temperature'],
  [motorHealth]: ['currentA', 'currentB', 'currentC', 'temperature'],
}
/** Custom limits with both values. Defaults apply to the others. */
const limitsOf = (given: Values['Limits'] = {}) =>
  Object.fromEntries(Object.entries(given).filter(([, limit]) => limit?.Watch != null && limit.Alarm != null)) as Partial<HealthLimits>

/** Selects a machine's points and limits, and starts training. */
export const MachineForm = ({ type, close }: { type: Machine; close: () => void }) => {
  const t = useWords()
  const train = useTrain()
  const submit = ({ Name, Points, Group, Insulation, Limits, ...range }: Values) => {
    const body = {
      ...{ Type: type, Name, Range: rangeOf({ Name, ...range }) },
      Params: {
        Points: Points.flatMap(({ ParaId, Role }) => (ParaId ? [{ ParaId, Role }] : [])),
        ...{ Group, Limits: limitsOf(Limits) },
        ...(Insulation ? { Insulation } : {}),
      },
    }
    train.mutate({ body }, { onSuccess: close })
  }
  const start = { ...lastDays(90), Points: usual[type].map((Role) => ({ Role })), Group: 'rigid2' as const }
  return (
    <FormDialog<Values>
      title={t('models.machine.new')}
      okText={t('models.train')}
      start={start}
      sending={train}
      submit={submit}
      close={close}
    >
      <p className="soft">{t('models.machine.help')}</p>
      <RangeFields />
      <Form.List name="Points">
        {(fields, { add, remove }) => (
          <fieldset className="model-points">
            <legend>{t('models.points')}</legend>
            {fields.map(({ key, name }) => (
              <div key={key} className="model-point">
                <Form.Item name={[name, 'Role']} noStyle>
                  <Select aria-label={t('models.role')} options={roles.map((value) => ({ value, label: t(`models.role.${value}`) }))} />
                </Form.Item>
                <Form.Item name={[name, 'ParaId']} noStyle>
                  <MeterInput any />
                </Form.Item>
                <Button icon={<DeleteOutlined />} aria-label={t('button.remove')} onClick={() => remove(name)} />
              </div>
            ))}
            {fields.length < mostPoints && <Button onClick={() => add({ Role: 'other' })}>{t('models.addPoint')}</Button>}
          </fieldset>
        )}
      </Form.List>
      <div className="form-two">
        <Form.Item name="Group" label={t('models.group')}>
          <Select options={vibrationGroups.map((value) => ({ value, label: t(`models.group.${value}`) }))} />
        </Form.Item>
        <Form.Item name="Insulation" label={t('models.insulation')}>
          <Select allowClear options={insulationClasses.map((value) => ({ value, label: value }))} />
        </Form.Item>
      </div>
      <fieldset className="model-points">
        <legend>{t('models.limits')}</legend>
        <p className="faint">{t('models.limits.help')}</p>
        {healthRules.map((rule) => (
          <div key={rule} className="model-point">
            <span>{t(`models.rule.${rule}`)}</span>
            <Form.Item name={['Limits', rule, 'Watch']} noStyle>
              <InputNumber min={0} placeholder={t('models.watch')} aria-label={`${t(`models.rule.${rule}`)}, ${t('models.watch')}`} />
            </Form.Item>
            <Form.Item name={['Limits', rule, 'Alarm']} noStyle>
              <InputNumber min={0} placeholder={t('models.alarm')} aria-label={`${t(`models.rule.${rule}`)}, ${t('models.alarm')}`} />
            </Form.Item>
          </div>
        ))}
      </fieldset>
    </FormDialog>
  )
}
