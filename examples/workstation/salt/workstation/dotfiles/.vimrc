" managed by pinch
set number
