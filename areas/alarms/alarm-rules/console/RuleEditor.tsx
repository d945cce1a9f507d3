import './rules.css'
import { Button, Drawer, Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { useLeaveGuard } from '../../../../console/kernel/form/useLeaveGuard.ts'
import { useSettled } from '../../../../console/theme/useSettled.ts'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { RuleConfigure } from '../alarm-configure.ts'
import { alarmRuleCalls } from '../contract.ts'
import { ActionFields } from './ActionFields.tsx'
import { ConditionGroups } from './ConditionGroups.tsx'
import { CourseFields } from './CourseFields.tsx'
import { cleaned } from './draft.ts'
import { EnableFields } from './EnableFields.tsx'
import { Field, RuleFaults } from './Field.tsx'
import { PlanField } from './PlanField.tsx'
import { PushFields } from './PushFields.tsx'
import { isTold } from './pushDraft.ts'
import { type Rule, startOf, type RuleValues as Values } from './ruleValues.ts'
import { summaryOf } from './summary.ts'
import { TryPanel } from './TryPanel.tsx'
import { useModels } from './useModels.ts'
import { usePoints } from './usePoints.ts'
import { isIncomplete, useRuleFaults } from './useRuleFaults.ts'

type Conditions = RuleConfigure['RuleList'][number]['Conditions']
type Points = ReturnType<typeof usePoints>
type ChoiceProps<K extends 'AlarmLevel' | 'RuleType' | 'Priority'> = {
  name: K
  of: readonly Values[K][]
  values: Values
  change: (part: Partial<Values>) => void
}
const Choice = <K extends 'AlarmLevel' | 'RuleType' | 'Priority'>({ name, of, values, change }: ChoiceProps<K>) => {
  const t = useWords()
  return (
    <Field label={t(`alarmRule.${name}`)}>
      {(id) => (
        <Select
          id={id}
          value={values[name]}
          onChange={(value: Values[K]) => change({ [name]: value })}
          options={of.map((value) => ({ value, label: t(`alarmRule.${name}.${value}`) }))}
        />
      )}
    </Field>
  )
}

/** The project of a rule: that of the points and devices in its conditions. */
const useProject = (row: Rule | undefined, conditions: Conditions, points: Points) => {
  const [named] = conditions.flatMap(
    (c) => c.DeviceSelection?.ProjectId ?? c.AlarmParams.flatMap((p) => points.known.get(p.ParaId ?? 0)?.ProjectId ?? []),
  )
  const [device] = conditions.flatMap((c) => c.DeviceSelection?.DeviceIds ?? [])
  const ofDevice = useCall(alarmRuleCalls.points, {
    query: { DeviceIds: String(device) },
    of: ['point', 'device'],
    enabled: !row && !named && device !== undefined,
  })
  return row?.ProjectId ?? named ?? (device === undefined ? undefined : ofDevice.data?.[0]?.ProjectId)
}

/** Creates or edits a rule: conditions as sentences, validated while typing, tested before the rule is enabled. */
export const RuleEditor = ({ row, begin, close }: { row: Rule | undefined; begin?: Partial<Values>; close: () => void }) => {
  const t = useWords()
  const phone = usePhone()
  const [start] = useState(() => ({ ...startOf(row), ...begin }))
  const [values, setValues] = useState(start)
  const [tried, setTried] = useState(false)
  const configure = values.RuleConfigure
  const conditions = configure.RuleList.flatMap((g) => g.Conditions)
  const points = usePoints([
    ...conditions.flatMap((c) => c.AlarmParams.flatMap((p) => p.ParaId ?? [])),
    ...values.DeviceControl.flatMap((c) => c.ParaId || []),
  ])
  const typed = useSettled(values, 400)
  const check = useCall(alarmRuleCalls.validate, { body: { RuleConfigure: cleaned(typed.RuleConfigure), AlarmLevel: typed.AlarmLevel } })
  const quiet = { meta: { quiet: true } }
  const [create, update] = [
    useCommand(alarmRuleCalls.create, ['alarmRule'], quiet),
    useCommand(alarmRuleCalls.update, ['alarmRule'], quiet),
  ]
  const save = row ? update : create

  const change = (part: Partial<Values>) => setValues((v) => ({ ...v, ...part }))
  const configured = (part: Partial<RuleConfigure>) => change({ RuleConfigure: { ...configure, ...part } })
  const isDirty = () => values !== start && !save.isSuccess
  const leave = useLeaveGuard({ isDirty, close })

  const { fault, faultOf, refusal } = useRuleFaults({ values, typed, tried, checked: check.data?.Errors ?? [], save })
  const submit = () => {
    setTried(true)
    if (isIncomplete(values)) return refusal.look()
    const sendsPushes = values.IsSend || isTold(values.AlarmPush)
    const body = {
      ...values,
      Remark: values.Remark || null,
      RuleConfigure: cleaned(configure),
      AlarmPush: sendsPushes ? values.AlarmPush : null,
    }
    if (row) update.mutate({ body: { ...body, Id: row.Id, UpdateStamp: row.UpdateStamp } as never }, { onSuccess: close })
    else create.mutate({ body: body as never }, { onSuccess: close })
  }
  const project = useProject(row, conditions, points)
  const models = useModels()
  const names = {
    point: (id: number) => points.known.get(id)?.ParaName,
    device: (id: number) => [...points.known.values()].find((p) => p.DeviceId === id)?.DeviceName,
    states: (id: number) => points.known.get(id),
    model: models.nameOf,
  }

  return (
    <Drawer
      open
      placement={phone ? 'bottom' : 'right'}
      size={phone ? '96%' : 840}
      title={row ? t('form.edit', { title: row.RuleName }) : t('rules.add')}
      onClose={leave}
      footer={
        <div className="form-foot">
          {refusal.count}
          <Button onClick={leave}>{t('cancel')}</Button>
          <Button type="primary" loading={save.isPending} onClick={submit}>
            {t('save')}
          </Button>
        </div>
      }
    >
      <div className="rule-editor" data-form>
        {refusal.summary}
        <div className="rule-head">
          <Field label={t('alarmRule.RuleName')} fault={faultOf('RuleName')}>
            {(id, state) => (
              <Input id={id} {...state} value={values.RuleName} maxLength={50} onChange={(e) => change({ RuleName: e.target.value })} />
            )}
          </Field>
          <Choice name="AlarmLevel" of={[1, 2, 3]} {...{ values, change }} />
          <Choice name="RuleType" of={[1, 2]} {...{ values, change }} />
          <Field label={t('alarmRule.Status')}>
            {(id) => <Switch id={id} checked={values.Status === 1} onChange={(on) => change({ Status: on ? 1 : 0 })} />}
          </Field>
        </div>
        <p className="rule-summary" aria-live="polite">
          {t('rules.summary', {
            level: t(`alarmRule.AlarmLevel.${values.AlarmLevel}`),
            when: summaryOf(cleaned(configure), t, names),
          })}
          {values.IsSend === 1 && values.Priority !== 2 && ` ${t(`rules.say.priority.${values.Priority}`)}`}
        </p>

        <h3>{t('alarmRule.RuleConfigure')}</h3>
        <ConditionGroups value={configure} onChange={configured} {...{ points, names, fault }} project={row?.ProjectId} />

        <CourseFields value={configure} level={values.AlarmLevel} onChange={configured} fault={fault} />

        <h3>{t('rules.enableWhen')}</h3>
        <EnableFields value={configure} onChange={configured} fault={fault} />

        <RuleFaults value={faultOf}>
          <h3>{t('alarmRule.AlarmPush')}</h3>
          <PushFields
            isOn={values.IsSend === 1}
            turn={(on) => change({ IsSend: on ? 1 : 0 })}
            value={values.AlarmPush}
            onChange={(part) => change({ AlarmPush: { ...values.AlarmPush, ...part } })}
            periods={conditions.flatMap((c) => c.AlarmParams.flatMap((p) => points.known.get(p.ParaId ?? 0)?.Period ?? []))}
            project={project}
          />

          {values.IsSend === 1 && <Choice name="Priority" of={[1, 2, 3]} {...{ values, change }} />}

          <h3>{t('alarmRule.ActionExecution')}</h3>
          <ActionFields value={values} onChange={change} points={points} project={project} />
        </RuleFaults>
        <PlanField value={values.AlmPlanId} onChange={(AlmPlanId) => change({ AlmPlanId })} project={project} />

        <h3>{t('rules.tryTitle')}</h3>
        <TryPanel names={names} configure={configure} level={values.AlarmLevel} width={phone ? 330 : 780} />

        <Field label={t('alarmRule.Remark')}>
          {(id) => (
            <Input.TextArea id={id} value={values.Remark} maxLength={200} autoSize onChange={(e) => change({ Remark: e.target.value })} />
          )}
        </Field>
      </div>
    </Drawer>
  )
}
