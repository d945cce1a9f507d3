import { SearchOutlined } from '@ant-design/icons'
import { Input, type InputProps } from 'antd'
import { useWords } from '../../words/words.ts'

/** The search input of lists and trees. */
export const SearchText = (props: InputProps) => {
  const label = useWords()('list.search')
  return (
    <Input
      className="search-text"
      prefix={<SearchOutlined className="faint" />}
      allowClear
      placeholder={label}
      aria-label={label}
      {...props}
    />
  )
}
