import { HistoryOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Resource } from '../../../contract/resource.ts'
import { useWords } from '../../words/words.ts'
import { useRow } from '../api.ts'
import { useLastChosen } from './searchFilterState.ts'

type Props = { to: Resource; value: number | undefined; onChange: (value: number) => void }

/** Offers the record that another list was last filtered by, while this filter is empty. */
export const ReuseFilter = ({ to, value, onChange }: Props) => {
  const t = useWords()
  const last = useLastChosen(to.name, value)
  const { data } = useRow(to, value === undefined ? last : undefined)
  if (value !== undefined || !data) return null
  const title = String((data as Record<string, unknown>)[to.title])
  const label = t('list.reuseFilter', { title })
  return (
    <Button className="reuse" type="text" icon={<HistoryOutlined />} aria-label={label} title={label} onClick={() => onChange(data.Id)}>
      {title}
    </Button>
  )
}
