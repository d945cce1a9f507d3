const files = import.meta.glob<Record<string, string>>(
  [
    '../words.en.json',
    '../../*/words.en.json',
    '../../kernel/*/words.en.json',
    '../../../areas/*/*/words/en.json',
    '../../../contract/words/*.en.json',
  ],
  { eager: true, import: 'default' },
)
export default Object.assign({}, ...Object.values(files)) as Record<string, string>
