import type { Shown } from '../../../../console/kernel/api.ts'
import { Chain } from '../../job-sheets/console/Chain.tsx'
import type { mtnKnowledgeBase } from '../contract.ts'
import { Article } from './Article.tsx'

const ArticleTab = ({ row }: { row: Shown<typeof mtnKnowledgeBase> }) => (
  <div className="stack">
    <section className="panel">
      <Article of={row} />
    </section>
    {row.OrderId && <Chain order={{ Id: row.OrderId, OrderNo: String(row.OrderNo) }} without={['article']} />}
  </div>
)
export default ArticleTab
