import { useCall } from '../../../../console/kernel/api.ts'
import { Facts } from '../../../../console/theme/Facts.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { sources } from '../../consumption/console/EnergyPage.tsx'
import { Answered } from '../../consumption/console/views/Answered.tsx'
import { analyticsCalls, type DecisionNode } from '../contract.ts'
import { amountText, shareText, Used } from './Distribution.tsx'
import type { Asked } from './useQuestion.ts'

const Branch = ({ node, nameOf, said }: { node: DecisionNode; nameOf: (key: string) => string; said?: string }) => {
  const t = useWords()
  const { Feature, Threshold, Left, Right, Samples, Value } = node
  const condition = (sign: string) => `${nameOf(Feature!)} ${sign} ${amountText(Threshold!)}`
  return (
    <li>
      {said && <span>{said}</span>}
      <span className="analytics-track">
        <span className="analytics-bar" style={{ width: `${100 * Value}%` }} />
      </span>
      <span className="figures">{t('analytics.leaf', { share: shareText(Value), count: Samples })}</span>
      {Left && Right && (
        <ul>
          <Branch node={Left} nameOf={nameOf} said={condition('≤')} />
          <Branch node={Right} nameOf={nameOf} said={condition('>')} />
        </ul>
      )}
    </li>
  )
}

/** Threshold above which the target counts as high; defaults to its 80th percentile. Bool points ignore it. */
const useThreshold = ({ threshold, one, range, target, features }: Asked) => {
  const usual = useCall(analyticsCalls.histogram, {
    query: { ...one, ...range },
    of: sources,
    enabled: threshold === undefined && one !== undefined,
  })
  const value = threshold ?? usual.data?.P80
  const query = { ...target, ...features, ...range, ...(value === undefined ? {} : { Threshold: value }) }
  return { usual, value, question: { query, of: sources, enabled: value !== undefined } }
}

/** Shows under which conditions the target exceeds its threshold. */
export const Tree = ({ asked }: { asked: Asked }) => {
  const t = useWords()
  const { nameOf } = asked
  const { usual, value, question } = useThreshold(asked)
  const answer = useCall(analyticsCalls.decisionTree, question)
  if (value === undefined) return <Answered of={usual}>{() => null}</Answered>
  return (
    <Answered of={answer}>
      {({ Tree, Rows, LeftOut, Accuracy, Naive }) => (
        <section className="panel">
          <Used rows={Rows} leftOut={LeftOut} />
          <p className="soft">{t('analytics.above', { value: amountText(value) })}</p>
          <p>{t('analytics.tree.accuracy', { accuracy: shareText(Accuracy), naive: shareText(Naive) })}</p>
          <ul className="analytics-tree" aria-label={t('analytics.question.tree')}>
            <Branch node={Tree} nameOf={nameOf} />
          </ul>
          <p className="faint">{t('analytics.tree.help')}</p>
        </section>
      )}
    </Answered>
  )
}

/** Whether a model trained on the first part of the range predicts the rest. */
export const Trial = ({ asked }: { asked: Asked }) => {
  const t = useWords()
  const { usual, value, question } = useThreshold(asked)
  const answer = useCall(analyticsCalls.trainModel, question)
  if (value === undefined) return <Answered of={usual}>{() => null}</Answered>
  return (
    <Answered of={answer}>
      {({ Rows, LeftOut, Accuracy, Naive, Precision, Recall, F1, Matrix }) => {
        const figures = { accuracy: Accuracy, naive: Naive, precision: Precision, recall: Recall, f1: F1 }
        const isBetter = Accuracy !== null && Naive !== null && Accuracy > Naive
        return (
          <section className="panel">
            <Used rows={Rows} leftOut={LeftOut} />
            <p className="soft">{t('analytics.above', { value: amountText(value) })}</p>
            <p>{t(isBetter ? 'analytics.trial.better' : 'analytics.trial.worse')}</p>
            <Facts
              of={Object.entries(figures).map(([key, value]) => ({
                ...{ key, label: t(`analytics.${key}`) },
                value: <span className="figures">{shareText(value)}</span>,
              }))}
            />
            <table className="analytics-matrix" aria-label={t('analytics.matrix')}>
              <thead>
                <tr>
                  <td />
                  <th scope="col">{t('analytics.saidNo')}</th>
                  <th scope="col">{t('analytics.saidYes')}</th>
                </tr>
              </thead>
              <tbody>
                {Matrix.map((row, i) => (
                  <tr key={i ? 'yes' : 'no'}>
                    <th scope="row">{t(i ? 'analytics.wasYes' : 'analytics.wasNo')}</th>
                    {row.map((count, k) => (
                      <td key={k ? 'yes' : 'no'} className="figures">
                        {count}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            <p className="faint">{t('analytics.trial.help')}</p>
          </section>
        )
      }}
    </Answered>
  )
}
