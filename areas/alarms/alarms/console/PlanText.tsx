import { useCall } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { ArticleOfPlan } from '../../../maintenance/knowledge-base/console/index.ts'
import { alarmCalls } from '../contract.ts'

/** Instructions of a response plan. */
export const PlanText = ({ id }: { id: number }) => {
  const t = useWords()
  const { data } = useCall(alarmCalls.plan, { query: { AlmPlanId: id }, of: ['alarmPlan'] })
  if (!data || (!data.Content && !data.ArticleId)) return null
  return (
    <section aria-label={t('alarmPlan.Content')} className="alarm-plan">
      <h3>{t('alarmPlan.Content')}</h3>
      {data.Content && <p>{data.Content}</p>}
      {data.ArticleId !== null && <ArticleOfPlan id={data.ArticleId} />}
    </section>
  )
}
