import { useWords } from '../../../../console/words/words.ts'
import { RichInput } from '../../../system/notices/console/index.ts'

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void }
const Solution = ({ value, onChange, id }: Props) => {
  const t = useWords()
  return (
    <RichInput
      {...(id && { id })}
      label={t('mtnKnowledgeBase.Solution')}
      value={(value as string | null) ?? ''}
      onChange={(html) => onChange?.(html || null)}
    />
  )
}
export const articleLooks = { inputs: { Solution } }
