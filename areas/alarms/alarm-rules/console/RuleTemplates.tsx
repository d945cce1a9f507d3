import { PlusSquareOutlined } from '@ant-design/icons'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { almTemplate } from '../../alarm-settings/contract.ts'
import { conditionOf } from '../../alarms/console/AlarmLevel.tsx'
import type { RuleConfigure } from '../alarm-configure.ts'
import { ConditionsInput } from './ConditionsInput.tsx'
import { fromTemplate } from './draft.ts'
import { RuleEditor } from './RuleEditor.tsx'
import { summaryOf } from './summary.ts'

/** What rules may begin with. */
const RuleTemplates = () => {
  const t = useWords()
  const [using, setUsing] = useState<Shown<typeof almTemplate>>()
  const mayAdd = useMay('m10202.add')
  return (
    <Page title={t('menu.m10210')}>
      <ResourceList
        of={almTemplate}
        columns={['TemplateName', 'AlarmLevel', 'RuleConfigure', 'Remark']}
        cells={{
          AlarmLevel: (row) => <State is={conditionOf(row.AlarmLevel)}>{t(`almTemplate.AlarmLevel.${row.AlarmLevel}`)}</State>,
          RuleConfigure: (row) => <span className="rule-sentence">{summaryOf(row.RuleConfigure as RuleConfigure, t)}</span>,
        }}
        actions={(row) =>
          mayAdd ? [{ key: 'use', label: t('ruleTemplate.use'), icon: <PlusSquareOutlined />, run: () => setUsing(row) }] : []
        }
        form={{ inputs: { RuleConfigure: ConditionsInput } }}
      />
      {using && <RuleEditor row={undefined} begin={fromTemplate(using)} close={() => setUsing(undefined)} />}
    </Page>
  )
}
export default RuleTemplates
