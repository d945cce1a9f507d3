import { CopyOutlined, SaveOutlined } from '@ant-design/icons'
import { App } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Shown, useCall, useCommand, useSave } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import type { Action } from '../../../../console/kernel/RowActions.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { Level } from '../../../../console/theme/State.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import { boolType } from '../../../../contract/point-value.ts'
import { almTemplate } from '../../alarm-settings/contract.ts'
import type { RuleConfigure } from '../alarm-configure.ts'
import { alarmRule, alarmRuleCalls, type ListedRule } from '../contract.ts'
import { RuleEditor } from './RuleEditor.tsx'
import { type Names, summaryOf } from './summary.ts'
import { useModels } from './useModels.ts'

type Rule = Shown<typeof alarmRule>

/** Describes a rule in a sentence. Fetches the state texts only if the rule has a Bool. */
const RuleSentence = ({ of, names }: { of: RuleConfigure; names: Names }) => {
  const t = useWords()
  const params = of.RuleList.flatMap((g) => g.Conditions.flatMap((c) => c.AlarmParams))
  const ParaIds = params.flatMap((p) => (p.ParaDataType === boolType && p.ParaId) || []).join(',')
  const { data } = useCall(alarmRuleCalls.search, { query: { ParaIds }, of: ['point', 'device'], enabled: ParaIds !== '' })
  const states = (id: number) => data?.find((p) => p.ParaId === id)
  return <span className="rule-sentence">{summaryOf(of, t, { ...names, states })}</span>
}

/** Alarm rules, each as a sentence with its enabled state. */
const RuleList = () => {
  const t = useWords()
  const [editing, setEditing] = useState<Rule | 'new'>()
  const command = useCommand(alarmRuleCalls.command, ['alarmRule'])
  const models = useModels()
  const namesOf = (row: Rule) => ({
    model: models.nameOf,
    device: (id: number) => (row.DeviceNames as ListedRule['DeviceNames'])?.find((d) => d.Id === id)?.DeviceName,
  })
  const maySee = useMay('m10210')
  const keep = useSave(almTemplate, {})
  const { message } = App.useApp()
  const [mayAdd, mayKeep] = [useMay('m10202.add'), useMay('m10210.add')]
  const actions = (row: Rule): Action[] => [
    ...(mayAdd
      ? [
          {
            key: 'copy',
            label: t('rules.copy'),
            icon: <CopyOutlined />,
            run: () =>
              command.mutate(
                { body: { Ids: [row.Id], Command: 'copy' } },
                {
                  onSuccess: ({ LeftOut }) =>
                    LeftOut.length > 0 &&
                    message.info(t('rules.copiedWithout', { names: new Intl.ListFormat(language()).format(LeftOut), name: row.RuleName })),
                },
              ),
          },
        ]
      : []),
    ...(mayKeep
      ? [
          {
            key: 'keep',
            label: t('ruleTemplate.keep'),
            icon: <SaveOutlined />,
            run: () =>
              keep.mutate(
                {
                  ...{ TemplateName: row.RuleName, RuleType: row.RuleType, AlarmLevel: row.AlarmLevel },
                  RuleConfigure: row.RuleConfigure as never,
                },
                { onSuccess: () => message.success(t('ruleTemplate.kept', { name: row.RuleName })) },
              ),
          },
        ]
      : []),
  ]
  return (
    <Page title={t('menu.m10202')} actions={maySee && <Link to="/alarmManagement/alarmTemplate">{t('menu.m10210')}</Link>}>
      <ResourceList
        of={alarmRule}
        columns={['RuleName', 'Enabled', 'AlarmLevel', 'RuleConfigure', 'ProjectId', 'LastTriggerTime']}
        filters={['ProjectId', 'ParamNames']}
        cells={{
          Enabled: (row) => (row.Enabled ? t('rules.watching') : <span className="soft">{t('rules.off')}</span>),
          AlarmLevel: (row) => <Level is={row.AlarmLevel}>{t(`alarmRule.AlarmLevel.${row.AlarmLevel}`)}</Level>,
          RuleConfigure: (row) => <RuleSentence of={row.RuleConfigure as RuleConfigure} names={namesOf(row)} />,
        }}
        actions={actions}
        onAdd={() => setEditing('new')}
        onEdit={setEditing}
      />
      {editing && <RuleEditor row={editing === 'new' ? undefined : editing} close={() => setEditing(undefined)} />}
    </Page>
  )
}
export default RuleList
