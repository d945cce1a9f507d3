import { useCall } from '../../../../console/kernel/api.ts'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { language, useWords } from '../../../../console/words/words.ts'
import { sources } from '../../consumption/console/EnergyPage.tsx'
import { Answered } from '../../consumption/console/views/Answered.tsx'
import { analyticsCalls } from '../contract.ts'
import { shareText } from './Distribution.tsx'
import type { Asked } from './useQuestion.ts'

const liftText = (lift: number) => new Intl.NumberFormat(language(), { maximumFractionDigits: 1 }).format(lift)

/** What is true in the same hours, more often than by chance. */
export const Together = ({ asked: { features, range, nameOf } }: { asked: Asked }) => {
  const t = useWords()
  const answer = useCall(analyticsCalls.apriori, { query: { ...features, ...range }, of: [...sources, 'alarmInfo'] })
  const itemText = (item: string) => {
    const [key, kind] = item.split('.') as [string, string]
    return t(`analytics.item.${kind}`, { name: nameOf(key) })
  }
  const list = new Intl.ListFormat(language(), { type: 'conjunction' })
  return (
    <Answered of={answer}>
      {(rules) =>
        rules.length ? (
          <section className="panel">
            <div className="analytics-scroll">
              <table className="analytics-rules" aria-label={t('analytics.question.together')}>
                <thead>
                  <tr>
                    <th scope="col">{t('analytics.if')}</th>
                    <th scope="col">{t('analytics.then')}</th>
                    <th scope="col">{t('analytics.confidence')}</th>
                    <th scope="col">{t('analytics.support')}</th>
                    <th scope="col">{t('analytics.lift')}</th>
                  </tr>
                </thead>
                <tbody>
                  {rules.map(({ If, Then, Support, Confidence, Lift }) => (
                    <tr key={`${If.join()} ${Then.join()}`}>
                      <td>{list.format(If.map(itemText))}</td>
                      <td>{list.format(Then.map(itemText))}</td>
                      <td className="figures" data-label={t('analytics.confidence')}>
                        {shareText(Confidence)}
                      </td>
                      <td className="figures" data-label={t('analytics.support')}>
                        {shareText(Support)}
                      </td>
                      <td className="figures" data-label={t('analytics.lift')}>
                        {liftText(Lift)}×
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <p className="faint">{t('analytics.together.help')}</p>
          </section>
        ) : (
          <EmptyList text={t('analytics.noRules')} />
        )
      }
    </Answered>
  )
}
