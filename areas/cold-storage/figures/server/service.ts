// What reports and energy of rooms take of figures.
export { type RoomData, roomData } from './data.ts'
export { reasonText, standardOf } from './figures.ts'
