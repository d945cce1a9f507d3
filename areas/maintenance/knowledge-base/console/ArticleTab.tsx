import type { Shown } from '../../../../console/kernel/api.ts'
import type { mtnKnowledgeBase } from '../contract.ts'
import { Article } from './Article.tsx'

const ArticleTab = ({ row }: { row: Shown<typeof mtnKnowledgeBase> }) => (
  <section className="panel">
    <Article of={row} />
  </section>
)
export default ArticleTab
