import { useWords } from '../../../../console/words/words.ts'
import { RichInput } from '../../../system/notices/console/index.ts'
import { ItemsInput } from '../../job-sheets/console/ItemsInput.tsx'
import { valueTypes } from '../../job-sheets/contract.ts'

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
/** An article has no machine, so its checklist has no points. */
const Items = (props: Props) => <ItemsInput {...props} kinds={valueTypes.filter((kind) => kind !== 6)} />
export const articleLooks = { inputs: { Solution, Items } }
