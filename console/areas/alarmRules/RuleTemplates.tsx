import { PlusSquareOutlined } from '@ant-design/icons'
import { useState } from 'react'
import type { RuleConfigure } from '../../../contract/areas/alarm-configure.ts'
import { almTemplate } from '../../../contract/areas/alarm-settings.ts'
import { Page } from '../../app/Page.tsx'
import type { Shown } from '../../resource/api.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { useMay } from '../../session/session.ts'
import { State } from '../../theme/State.tsx'
import { useWords } from '../../words/words.ts'
import { conditionOf } from '../alarms/AlarmLevel.tsx'
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
