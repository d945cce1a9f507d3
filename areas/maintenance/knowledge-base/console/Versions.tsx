import { Collapse } from 'antd'
import { type Shown, useCall } from '../../../../console/kernel/api.ts'
import { EmptyList, Failure } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { knowledgeCalls, mtnKnowledgeBase } from '../contract.ts'
import { Article } from './Article.tsx'

/** Earlier published versions. */
const Versions = ({ row }: { row: Shown<typeof mtnKnowledgeBase> }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(knowledgeCalls.versions, { query: { Id: row.Id }, of: [mtnKnowledgeBase.name] })
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  if (data && !data.Items.length) return <EmptyList text={t('article.noVersions')} />
  return (
    <Collapse
      items={(data?.Items ?? []).map((v) => ({
        key: v.Version,
        label: [t('article.version', { version: v.Version }), v.PublishTime, v.UserName].filter(Boolean).join(' · '),
        children: <Article of={v} />,
      }))}
    />
  )
}
export default Versions
