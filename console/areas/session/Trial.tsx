import { useWords } from '../../words/words.ts'
import { Standing } from './Standing.tsx'

/** Trial access is off by default (ruling 34b): the page says so and whom to ask. */
const Trial = () => {
  const t = useWords()
  return (
    <Standing title={t('trial.title')}>
      <p>{t('trial.off')}</p>
    </Standing>
  )
}
export default Trial
