import { useRow } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'
import { mtnKnowledgeBase } from '../contract.ts'

const Article = lazyScreen(async () => ({ default: (await import('./Article.tsx')).Article }), null)
/** The article of a response plan. */
export const ArticleOfPlan = ({ id }: { id: number }) => {
  const { data } = useRow(mtnKnowledgeBase, useMay('m10610') ? id : undefined)
  return data ? <Article of={data} /> : null
}
