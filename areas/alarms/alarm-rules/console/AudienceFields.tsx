import { Select } from 'antd'
import { useCall } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { PushMethod, type PushStep } from '../alarm-push.ts'
import { alarmRuleCalls } from '../contract.ts'
import { Field, useFaults } from './Field.tsx'
import { offered, peopleOptions } from './pushDraft.ts'

type Named = Pick<PushStep, 'PushUsers' | 'PushRosters' | 'PushMethods'>
const search = { optionFilterProp: 'label' } as const
const withTemplate: readonly number[] = [PushMethod.sms, PushMethod.email, PushMethod.wechat, PushMethod.dingtalk]

/** Recipients and channels; channels with a template or robot offer a choice. */
export const AudienceFields = ({
  value,
  onChange,
  project,
  path,
}: {
  value: Named
  onChange: (part: Partial<Named>) => void
  /** Project whose tenant provides people, rosters and templates; without one, the user's tenant. */
  project: number | undefined
  /** Path of the audience within the rule. */
  path: string
}) => {
  const t = useWords()
  const fault = useFaults()
  const query = project ? { ProjectId: project } : {}
  const users = useCall(alarmRuleCalls.users, { query, of: ['user'] })
  const known = useCall(alarmRuleCalls.audience, { query, of: ['alarmRoster'] })
  const methodOf = (method: number) => value.PushMethods.find((m) => m.Method === method)
  const templates = (method: number) =>
    (known.data?.Templates ?? []).filter((x) => x.Method === method).map((x) => ({ value: x.Id, label: x.Name }))
  return (
    <>
      <Field label={t('rules.pushMethods')} fault={fault(`${path}PushMethods`)}>
        {(id, state) => (
          <Select<number[]>
            id={id}
            {...state}
            mode="multiple"
            value={value.PushMethods.map((m) => m.Method)}
            placeholder={t('rules.chooseMethods')}
            options={offered.map((v) => ({ value: v, label: t(`rules.method.${v}`) }))}
            onChange={(next) => onChange({ PushMethods: next.map((Method) => methodOf(Method) ?? { Method: Method as 1 }) })}
          />
        )}
      </Field>
      {value.PushMethods.map(
        (m, at) =>
          withTemplate.includes(m.Method) && (
            <Field
              key={m.Method}
              fault={fault(`${path}PushMethods.${at}.TemplateId`) ?? fault(`${path}PushMethods.${at}.Method`)}
              label={t(m.Method === PushMethod.dingtalk ? 'rules.robot' : 'rules.template', { method: t(`rules.method.${m.Method}`) })}
            >
              {(id, state) => (
                <Select<number>
                  id={id}
                  {...state}
                  allowClear
                  showSearch={search}
                  value={m.TemplateId ?? undefined}
                  placeholder={m.Method === PushMethod.dingtalk ? t('rules.chooseRobot') : t('rules.standardTemplate')}
                  options={templates(m.Method)}
                  onChange={(TemplateId?: number) =>
                    onChange({
                      PushMethods: value.PushMethods.map((x) =>
                        x.Method === m.Method ? { Method: x.Method, TemplateId: TemplateId ?? null } : x,
                      ),
                    })
                  }
                />
              )}
            </Field>
          ),
      )}
      <Field label={t('rules.pushUsers')} fault={fault(`${path}PushUsers`)}>
        {(id, state) => (
          <Select<number[]>
            id={id}
            {...state}
            mode="multiple"
            showSearch={search}
            value={value.PushUsers}
            placeholder={t('rules.choosePeople')}
            options={peopleOptions(users.data, value.PushUsers)}
            onChange={(PushUsers) => onChange({ PushUsers })}
          />
        )}
      </Field>
      {(known.data?.Rosters.length ?? 0) > 0 && (
        <Field label={t('rules.pushRosters')} fault={fault(`${path}PushRosters`)}>
          {(id, state) => (
            <Select<number[]>
              id={id}
              {...state}
              mode="multiple"
              showSearch={search}
              value={value.PushRosters ?? []}
              placeholder={t('rules.chooseRosters')}
              options={known.data!.Rosters.map((r) => ({ value: r.Id, label: r.Name }))}
              onChange={(PushRosters) => onChange({ PushRosters })}
            />
          )}
        </Field>
      )}
    </>
  )
}
