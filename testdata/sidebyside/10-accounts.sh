groupadd -g 6001 sxg; groupadd -g 6005 leaving; groupadd extra1; groupadd extra2
useradd -m -u 5001 -c 'Old Name,1,2,3' -G extra1 have; useradd -m gone; useradd -m -d /home/stay stay; useradd -m expired
echo keep >/home/stay/file; echo 'expired:x' | chpasswd -e 2>/dev/null || true
mkdir -p /home/prepared; useradd -M -d /home/prepared prepared
