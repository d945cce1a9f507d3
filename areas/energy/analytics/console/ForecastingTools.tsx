import { InputNumber } from 'antd'
import { EmptyList } from '../../../../console/kernel/Empty.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { PointChoice } from '../../../analysis/telemetry/console/PointChoice.tsx'
import { MeterInput } from '../../circuits/console/MeterInput.tsx'
import { Choose, CircuitChoice, CircuitsChoice, EnergyPage } from '../../consumption/console/EnergyPage.tsx'
import { mostFeatures, toolsMenu } from '../contract.ts'
import { Distribution, Drivers } from './Distribution.tsx'
import { Together } from './Together.tsx'
import { Tree, Trial } from './Tree.tsx'
import { type Asked, type Question, questions, useQuestion } from './useQuestion.ts'
import './analytics.css'

const answers: Record<Question, (props: { asked: Asked }) => React.ReactNode> = {
  distribution: Distribution,
  drivers: Drivers,
  tree: Tree,
  trial: Trial,
  together: Together,
}

/** What the question is about: a circuit, or any point. */
const Target = ({ asked: { energy, targetPoint, threshold, question, put } }: { asked: Asked }) => {
  const t = useWords()
  const needsThreshold = question === 'tree' || question === 'trial'
  return (
    <>
      {targetPoint === undefined && <CircuitChoice energy={energy} />}
      <div className="analytics-point">
        <MeterInput any value={targetPoint} onChange={(next) => put({ target: (next as number | null) ?? undefined })} />
      </div>
      {needsThreshold && (
        <InputNumber
          value={threshold ?? null}
          onChange={(next) => put({ above: next ?? undefined })}
          prefix=">"
          style={{ width: 140 }}
          placeholder={t('analytics.threshold')}
          aria-label={t('analytics.threshold')}
        />
      )}
    </>
  )
}

/** Questions to the data: the question, the range, how good the answer is, then the answer. */
const ForecastingTools = () => {
  const t = useWords()
  const asked = useQuestion()
  const { energy, put, question, circuits, chosen, hasFeatures } = asked
  const Answer = answers[question]
  const needsFeatures = question !== 'distribution'
  return (
    <EnergyPage code={toolsMenu} energy={energy} oneKind={question !== 'together'} spans={['month', 'year', 'range']}>
      <div className="search-bar">
        <Choose<Question>
          value={question}
          choose={(q) => put({ q })}
          options={questions.map((value) => ({ value, label: t(`analytics.question.${value}`) }))}
          label={t('analytics.question')}
        />
      </div>
      {question !== 'together' && (
        <div className="search-bar">
          <span className="soft">{t('analytics.target')}</span>
          <Target asked={asked} />
        </div>
      )}
      {needsFeatures && (
        <div className="search-bar">
          <span className="soft">{t(question === 'together' ? 'analytics.among' : 'analytics.features')}</span>
          <CircuitsChoice
            of={energy.here}
            value={circuits}
            choose={(next) => put({ circuits: next.join() || '0' })}
            most={mostFeatures}
            label={t('analytics.chooseCircuits')}
          />
        </div>
      )}
      {needsFeatures && <PointChoice points={chosen.points} choose={chosen.choose} most={mostFeatures} />}
      {needsFeatures && !hasFeatures ? <EmptyList text={t('analytics.noFeatures')} /> : <Answer asked={asked} />}
    </EnergyPage>
  )
}
export default ForecastingTools
